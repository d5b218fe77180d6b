-- Lists are read from the replica alone (docs/decisions/0058-one-reader.md): no statement selects or orders items by these indexes any
-- more. Builds beside the served one lose them too.
do $$
declare
  tables text;
begin
  for tables in
    select nspname from pg_namespace
    where nspname ~ ('^' || current_schema() || '(_live|_build_[0-9]+)$')
  loop
    execute format('drop index if exists %1$I.items_kind, %1$I.items_unit, %1$I.items_price, %1$I.items_cpv, %1$I.items_name,
      %1$I.item_markets_price, %1$I.item_regions_item', tables);
    execute format('alter table %1$I.items drop column if exists folded_name', tables);
    execute format('alter table %1$I.item_regions drop constraint if exists item_regions_pkey, add primary key (item_id, region)', tables);
  end loop;
end $$;
