"""Computes all medians with DuckDB, which reads the tables of a PostgreSQL (see ../workload/duckdb.ts).

Arguments: host, a database's schema of read models, and the instant. Each line of input is one run, and gets one line of
output: nothing after `run`, and the rows of item, lower and upper median as JSON after `medians`.
"""

import importlib.util
import json
import sys
from pathlib import Path

import duckdb

QUERY = """create or replace table medians as
  with latest as (
    select item, arg_max(cents, observed_at) as cents, any_value(trust_score) as trust
    from {schema}.memberships join {schema}.observations using (sku) join {schema}.sources using (source)
    where observed_at <= timestamptz '{as_of}'
      and observed_at > timestamptz '{as_of}' - validity_days * interval 1 day and enabled and trust_score > 0
    group by sku, item
  ),
  cumulated as (
    select item, cents, sum(trust) over (partition by item order by cents) as c, sum(trust) over (partition by item) as t
    from latest
  )
  select item, min(cents) filter (where 2 * c >= t) as lower, min(cents) filter (where 2 * c > t) as upper
  from cumulated group by item"""


def main(host: str, schema: str, as_of: str) -> None:
    package = Path(importlib.util.find_spec("duckdb_extension_postgres_scanner").submodule_search_locations[0])
    connection = duckdb.connect()
    connection.execute(f"load '{next(package.rglob('*.duckdb_extension'))}'")
    connection.execute(f"attach 'host={host} user=postgres dbname=postgres' as store (type postgres, read_only)")
    query = QUERY.format(schema=f"store.{schema}", as_of=as_of)
    print("ready", flush=True)
    for line in sys.stdin:
        connection.execute(query)
        rows = connection.execute("select * from medians").fetchall() if line == "medians\n" else None
        print(json.dumps(rows), flush=True)


main(*sys.argv[1:])
