-- Terms of prices whose goods their vendor no longer sells: they have no vote. Earlier terms are those of other goods. A new store
-- has the column from its read models.
alter table price_terms add column if not exists discontinued boolean not null default false;
