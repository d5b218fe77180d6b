-- References that stood for several articles (docs/decisions/0062-re-used-references.md). Builds beside the served one get the column too.
do $$
declare
  tables text;
begin
  for tables in
    select nspname from pg_namespace
    where nspname ~ ('^' || current_schema() || '(_live|_build_[0-9]+)$')
  loop
    continue when to_regclass(format('%I.vendor_skus', tables)) is null;
    execute format('alter table %1$I.vendor_skus add column if not exists reference int', tables);
    execute format('create index if not exists vendor_skus_reference on %1$I.vendor_skus (reference) where reference is not null', tables);
  end loop;
end $$;
