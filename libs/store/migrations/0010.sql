-- Editions of price lists, and sources whose prices hold until a newer edition (docs/decisions/0052-editions.md). A new store has
-- these from its read models; so have builds that are not served.
alter table sources add column if not exists validity text;
alter table price_terms add column if not exists edition text;

do $$
declare
  own text := (select nspname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where pg_class.oid = 'price_terms'::regclass);
  beside text;
begin
  for beside in select own union
    select nspname from pg_namespace where nspname ~ ('^' || current_schema() || '_build_[0-9]+$') loop
    execute format('alter table if exists %I.sources add column if not exists validity text', beside);
    execute format('alter table if exists %I.price_terms add column if not exists edition text', beside);
    execute format('create table if not exists %I.source_editions (source_id text not null,
      edition text collate "C" not null, primary key (source_id, edition))', beside);
  end loop;
end $$;
