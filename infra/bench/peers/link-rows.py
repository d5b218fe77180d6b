"""Links the rows of vendors' lists by Splink on DuckDB, and prints costs and quality as a line of JSON.

link-rows.py LIST.csv ... reads the columns vendor, ref, name, unit and price. Splink expects several columns, not one of many
words, so names become words and numbers. The number at the end of a reference is the product: only quality() reads it. It picks
the threshold by these keys, which favours Splink: a user cannot see them.
"""

import time

BEGUN = time.perf_counter()  # before the imports, which are a part of the work

import csv
import json
import logging
import re
import resource
import sys
import unicodedata
from collections import Counter

import pyarrow
import splink.comparison_level_library as cll
import splink.comparison_library as cl
from splink import DuckDBAPI, Linker, SettingsCreator

# Equal words and numbers, then equal numbers and the rarest word: every true pair, and few others.
RULES = ["l.bag = r.bag and l.numbers = r.numbers", "l.rarest = r.rarest and l.numbers = r.numbers"]
# The first leaves numbers to be estimated, the second words.
TRAINING_RULES = ["l.bag = r.bag", "l.numbers = r.numbers and l.unit = r.unit"]
# More pairs cost up to ten times the processor and gave the same clusters.
SAMPLED_PAIRS = 1e6
TRAINING_PAIRS = 2e5
THRESHOLDS = [0.01, 0.05, *(n / 10 for n in range(1, 10)), 0.95, 0.99, 0.999, 0.9999]

MILLIMETRES = {"mm": 1, "cm": 10, "m": 1000}
SIZES = re.compile(r"(\d+(?:[.,]\d+)?(?:\s*[x×]\s*\d+(?:[.,]\d+)?)*)\s*(mm|cm|m)\b")
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


def features(row):
    """Folded words of at least three letters, sizes in millimetres, other numbers as written."""
    decomposed = unicodedata.normalize("NFKD", row["name"].lower())
    name = "".join(char for char in decomposed if not unicodedata.combining(char))
    sizes = [
        f"{float(number.replace(',', '.')) * MILLIMETRES[unit]:g} mm"
        for numbers, unit in SIZES.findall(name)
        for number in NUMBER.findall(numbers)
    ]
    rest = SIZES.sub(" ", name)
    words = sorted(set(re.findall(r"[^\W\d_]{3,}", rest)))
    texts = {"words": words, "bag": " ".join(words), "numbers": sorted(sizes + NUMBER.findall(rest))}
    return {"unique_id": row["ref"], "vendor": row["vendor"], "unit": row["unit"], "price": float(row["price"]), **texts}


def read(paths):
    rows = []
    for path in paths:
        with open(path, encoding="utf-8", newline="") as file:
            rows.extend(features(row) for row in csv.DictReader(file))
    seen = Counter(word for row in rows for word in row["words"])
    return [{**row, "rarest": min(row["words"], key=lambda word: (seen[word], word), default="")} for row in rows]


def comparison(column, *levels):
    return cl.CustomComparison([cll.NullLevel(column), *levels, cll.ElseLevel()], output_column_name=column)


def linker_of(rows):
    settings = SettingsCreator(
        link_type="dedupe_only",
        comparisons=[
            comparison("words", cll.ArraySubsetLevel("words"), cll.JaroWinklerLevel("bag", 0.9)),
            comparison("price", *(cll.PercentageDifferenceLevel("price", share) for share in (0.02, 0.1))),
            cl.ExactMatch("numbers"),
            cl.ExactMatch("unit"),
        ],
        blocking_rules_to_generate_predictions=[f"{rule} and l.vendor <> r.vendor" for rule in RULES],
        retain_matching_columns=False,
    )
    return Linker(DuckDBAPI().register(pyarrow.Table.from_pylist(rows)), settings, log_level=logging.ERROR)


def train(training):
    training.estimate_probability_two_random_records_match(RULES[:1], recall=0.8)
    training.estimate_u_using_random_sampling(max_pairs=SAMPLED_PAIRS, seed=1)
    for rule in TRAINING_RULES:
        training.estimate_parameters_using_expectation_maximisation(rule, max_pairs=TRAINING_PAIRS)


def quality(clusters):
    """F1, precision and recall of pairs of one product in one cluster."""
    placed = [(row["cluster_id"], row["unique_id"].rsplit("-", 1)[1]) for row in clusters.as_record_list()]
    counts = Counter(placed), Counter(cluster for cluster, _ in placed), Counter(product for _, product in placed)
    right, taken, true = (sum(n * (n - 1) / 2 for n in count.values()) for count in counts)
    return 2 * right / (taken + true), right / taken if taken else 1, right / true


def main(paths):
    logging.disable(logging.WARNING)
    rows = read(paths)
    linker = linker_of(rows)
    training_s = -time.process_time()
    train(linker.training)
    training_s += time.process_time()
    scored = linker.inference.predict(threshold_match_probability=min(THRESHOLDS))
    seconds, processor_s = time.perf_counter() - BEGUN, time.process_time()
    found = []
    for threshold in THRESHOLDS:
        begun, begun_s = time.perf_counter(), time.process_time()
        clusters = linker.clustering.cluster_pairwise_predictions_at_threshold(scored, threshold)
        ended, ended_s = time.perf_counter(), time.process_time()
        found.append((*quality(clusters), threshold, ended - begun, ended_s - begun_s))
    _, precision, recall, threshold, took, took_s = max(found)  # only the best clustering counts
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    costs = {"seconds": seconds + took, "processorS": processor_s + took_s, "trainingS": training_s, "peakBytes": peak}
    print(json.dumps({"rows": len(rows), **costs, "threshold": threshold, "precision": precision, "recall": recall}))


main(sys.argv[1:])
