-- What matching leaves to people, and what people said of it. Both are folds of catalog.decisions.

-- Vendor SKUs that a person declared to be two products: no item holds both, for ever.
create table kept_apart (
  -- The smaller id first. Text ids: a decision may name a SKU before its first observation came.
  sku_a text collate "C" not null,
  sku_b text collate "C" not null,
  since timestamptz not null,
  reason text not null,
  primary key (sku_a, sku_b)
);

-- Pairs that a rule found alike and did not join. Those that are in one item by now, or kept apart, are left out by readers.
create table proposals (
  sku_a text collate "C" not null,
  sku_b text collate "C" not null,
  score double precision not null,
  -- Why the rule did not decide.
  why text[] not null,
  rule_version text not null,
  decided_at timestamptz not null,
  primary key (sku_a, sku_b)
);
-- The list of open pairs, the surest first.
create index proposals_score on proposals (score desc, sku_a, sku_b);
