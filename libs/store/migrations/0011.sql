-- Points of official price indices, a read model folded from the log. A new store has the table from its read models; builds beside
-- the served one get it too, because a replay may be filling one.
do $$
declare
  tables text;
begin
  for tables in
    select nspname from pg_namespace
    where nspname ~ ('^' || current_schema() || '(_live|_build_[0-9]+)$')
  loop
    execute format($ddl$
      create table if not exists %1$I.index_points (
        event_id text collate "C" primary key,
        index_id text collate "C" not null,
        source_id text not null,
        publisher text not null,
        url text,
        series text not null,
        title text not null,
        region text,
        base text,
        frequency text not null,
        period text collate "C" not null,
        value text not null,
        crawl_id text not null,
        observed_at timestamptz not null,
        recorded_at timestamptz not null,
        partition int not null,
        "offset" bigint not null
      )$ddl$, tables);
    execute format($ddl$
      create index if not exists index_points_index
        on %1$I.index_points (index_id, period, observed_at desc, recorded_at desc, event_id desc)$ddl$, tables);
  end loop;
end $$;
