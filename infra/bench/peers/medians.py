"""Computes all medians with DuckDB (see ../workload/duckdb.ts).

`tables HOST SCHEMA AS_OF` reads the tables of a PostgreSQL in every run; `votes FILE` reads a Parquet file of votes into
memory first. Each line of input is one run, and gets one line of output: nothing after `run`, and the rows of item,
lower and upper median as JSON after `medians`.
"""

import importlib.util
import json
import sys
from pathlib import Path

import duckdb

LATEST = """(
    select item, arg_max(cents, observed_at) as cents, any_value(trust_score) as trust
    from {schema}.memberships join {schema}.observations using (sku) join {schema}.sources using (source)
    where observed_at <= timestamptz '{as_of}'
      and observed_at > timestamptz '{as_of}' - validity_days * interval 1 day and enabled and trust_score > 0
    group by sku, item
  )"""
QUERY = """create or replace table medians as
  with cumulated as (
    select item, cents, sum(trust) over (partition by item order by cents) as c, sum(trust) over (partition by item) as t
    from {votes}
  )
  select item, min(cents) filter (where 2 * c >= t) as lower, min(cents) filter (where 2 * c > t) as upper
  from cumulated group by item"""


def of_tables(connection: duckdb.DuckDBPyConnection, host: str, schema: str, as_of: str) -> str:
    package = Path(importlib.util.find_spec("duckdb_extension_postgres_scanner").submodule_search_locations[0])
    connection.execute(f"load '{next(package.rglob('*.duckdb_extension'))}'")
    connection.execute(f"attach 'host={host} user=postgres dbname=postgres' as store (type postgres, read_only)")
    return LATEST.format(schema=f"store.{schema}", as_of=as_of)


def of_votes(connection: duckdb.DuckDBPyConnection, file: str) -> str:
    connection.execute(f"create table votes as select item, cents, trust from '{file}'")
    return "votes"


def main(source: str, *arguments: str) -> None:
    connection = duckdb.connect()
    votes = {"tables": of_tables, "votes": of_votes}[source](connection, *arguments)
    query = QUERY.format(votes=votes)
    print("ready", flush=True)
    for line in sys.stdin:
        connection.execute(query)
        rows = connection.execute("select * from medians").fetchall() if line == "medians\n" else None
        print(json.dumps(rows), flush=True)


main(*sys.argv[1:])
