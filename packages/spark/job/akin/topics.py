"""Nested topics over the graph of the lists as votes order them (src/cluster/topic-graph.ts).

Local moving in rounds, contraction, and Leiden when a graph is small:

    pages -> tight clusters as nodes -> rounds of moves at the finest resolution -> communities, connected -> contract
      -> again, until little changes; then coarser -> a graph that one task can hold: stage `topics` finishes all levels

In a round every node looks for the community that gains most (the quality of src/cluster/leiden.ts), and half of the
nodes, drawn anew each round, go there: two that would change places do not for ever. Weights are whole numbers, so that
sums do not depend on their order; ties go to the smaller community. A community in pieces is divided into them, so
every topic is connected. Levels nest, as the communities of one are the nodes of the next.

Sources: Blondel, Guillaume, Lambiotte, Lefebvre 2008; Traag, Waltman, van Eck 2019.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from akin.components import find_components
from akin.stage import Stages
from akin.work import WorkFolder

# Whole numbers in place of a score or a weight of 1.
SCALE = 1 << 24
MOST_ROUNDS = 12
# Share of the nodes that move in the last round of a pass, at most.
FEW_MOVES = 0.02
# A pass that leaves a greater share of the nodes is the last of its level.
LITTLE_CONTRACTED = 0.9
# Edges of a graph that one task takes: some 100 bytes each.
TASK_EDGES = 20_000_000


@dataclass(frozen=True)
class TopicReport:
    resolutions: tuple[float, ...]
    # Passes in rounds of joins, and their rounds; the rest is done by the stage `topics`.
    passes: int
    rounds: int


def find_topics(
    centers: DataFrame,
    ranked: DataFrame,
    page_count: int,
    stages: Stages,
    work: WorkFolder,
    task_edges: int = TASK_EDGES,
) -> tuple[DataFrame, TopicReport]:
    """(page_id, level, topic_id) of all pages: the page at the center of its topic, level 0 the finest.

    centers: (page_id, center_id) of all pages, tight clusters that lie whole in their topics.
    ranked: (page_id, rank, neighbor_id, score), the lists as rank_by_votes() gives them.
    """
    edges = work.save("topic-edges", _weighted(ranked, stages.numbers))
    node_of = centers.select("page_id", F.col("center_id").alias("node"))
    graph = work.save("topic-graph-0", _contract(edges, node_of.withColumnRenamed("page_id", "old")))
    total = graph.agg(F.coalesce(F.sum(2 * F.col("w")), F.lit(0))).first()[0]
    left = stages.plan("topics", {"pageCount": page_count})["resolutions"]
    resolutions = tuple(left)
    levels: list[DataFrame] = []
    passes = rounds = 0
    nodes = node_of.select("node").distinct().count()
    while left and graph.count() > task_edges:
        passes += 1
        moved, taken = _move(graph, left[0], total, stages.options["seed"], work, passes)
        rounds += taken
        connected = _connected(graph, moved, work, passes)
        node_of = work.save(f"topic-nodes-{passes}", _renamed(node_of, connected))
        graph = work.save(f"topic-graph-{passes}", _contract(graph, connected))
        before, nodes = nodes, node_of.select("node").distinct().count()
        if nodes > LITTLE_CONTRACTED * before:
            levels.append(node_of.select("page_id", F.lit(len(levels)).alias("level"), F.col("node").alias("topic")))
            left = left[1:]
    if left:
        rows = graph.select("u", "v", (F.col("w") / SCALE).alias("weight")).coalesce(1)
        found = work.save("topic-found", stages.run(rows, "topics", {"resolutions": left}))
        for level in range(len(left)):
            named = found.where(F.col("level") == level).select(
                F.col("node").alias("old"), F.col("topic").alias("node")
            )
            of_page = _renamed(node_of, named)
            levels.append(of_page.select("page_id", F.lit(len(levels)).alias("level"), F.col("node").alias("topic")))
    topics = levels[0]
    for level in levels[1:]:
        topics = topics.unionByName(level)
    return work.save("topics", _with_centers(topics, edges, stages)), TopicReport(resolutions, passes, rounds)


def _weighted(ranked: DataFrame, numbers: dict) -> DataFrame:
    """(u, v, w), u < v: the score of either end in the list of the other, against what both lists weigh."""
    score = F.round(F.col("score") * SCALE).cast("long").alias("score")
    near = ranked.where(F.col("rank") < numbers["lists"]["topicNeighbors"]).select("page_id", "neighbor_id", score)
    sums = near.groupBy("page_id").agg(F.sum("score").cast("double").alias("own"))
    of_other = sums.select(F.col("page_id").alias("neighbor_id"), F.col("own").alias("other"))
    # Of sums of scores as scaled numbers the formula gives a weight that is not scaled.
    weight = F.round(SCALE * F.expr(numbers["formulas"]["topicWeight"])).cast("long").alias("w")
    ends = F.least("page_id", "neighbor_id").alias("u"), F.greatest("page_id", "neighbor_id").alias("v")
    weighed = near.join(sums, "page_id").join(of_other, "neighbor_id", "left").select(*ends, weight)
    return weighed.groupBy("u", "v").agg(F.sum("w").alias("w"))


def _renamed(node_of: DataFrame, names: DataFrame) -> DataFrame:
    """(page_id, node) by new names (old, node) of the nodes; a node without one keeps its own."""
    renamed = names.withColumnRenamed("node", "new")
    joined = node_of.withColumnRenamed("node", "old").join(renamed, "old", "left")
    return joined.select("page_id", F.coalesce("new", "old").alias("node"))


def _contract(graph: DataFrame, names: DataFrame) -> DataFrame:
    """The graph (u, v, w), u <= v, of new names (old, node); an edge within a node is its loop."""
    of_u = names.select(F.col("old").alias("u"), F.col("node").alias("new_u"))
    of_v = names.select(F.col("old").alias("v"), F.col("node").alias("new_v"))
    ends = F.least("new_u", "new_v").alias("u"), F.greatest("new_u", "new_v").alias("v")
    return graph.join(of_u, "u").join(of_v, "v").select(*ends, "w").groupBy("u", "v").agg(F.sum("w").alias("w"))


def _move(
    graph: DataFrame, resolution: float, total: int, seed: int, work: WorkFolder, number: int
) -> tuple[DataFrame, int]:
    """(node, community, strength, moved) when few nodes move any more, and the rounds it took."""
    between = graph.where("u < v")
    both = between.unionByName(between.select(F.col("v").alias("u"), F.col("u").alias("v"), "w"))
    ends = both.select(F.col("u").alias("node"), "w").unionByName(
        graph.where("u = v").select(F.col("u").alias("node"), (2 * F.col("w")).alias("w"))
    )
    start = ends.groupBy("node").agg(F.sum("w").alias("strength"))
    state = start.select("node", F.col("node").alias("community"), "strength", F.lit(True).alias("moved"))
    state = work.save(f"topic-moves-{number}-0", state)
    few = FEW_MOVES * state.count()
    for taken in range(1, MOST_ROUNDS + 1):
        round_ = _round(both, state, resolution, total, F.lit(seed), F.lit(100 * number + taken))
        state = work.save(f"topic-moves-{number}-{taken}", round_)
        if state.where("moved").count() <= few:
            break
    return state, taken


def _round(both: DataFrame, state: DataFrame, resolution: float, total: int, seed, number) -> DataFrame:
    strengths = state.groupBy(F.col("community").alias("to")).agg(F.sum("strength").alias("all"))
    of_v = state.select(F.col("node").alias("v"), F.col("community").alias("to"))
    links = both.join(of_v, "v").select(F.col("u").alias("node"), "to", "w")
    # A node may stay: its own community is looked at even where no edge leads there.
    stays = state.select("node", F.col("community").alias("to"), F.lit(0).cast("long").alias("w"))
    linked = links.unionByName(stays).groupBy("node", "to").agg(F.sum("w").alias("w"))
    is_own = F.col("to") == F.col("community")
    others = F.col("all") - F.when(is_own, F.col("strength")).otherwise(0)
    gain = F.col("w") - F.lit(resolution / total) * F.col("strength") * others
    looked = linked.join(strengths, "to").join(state.drop("moved"), "node").withColumn("gain", gain)
    best = looked.groupBy("node", "community", "strength").agg(
        F.max(F.struct("gain", (-F.col("to")).alias("minus"))).alias("best"),
        F.max(F.when(is_own, F.col("gain"))).alias("own"),
    )
    is_drawn = F.pmod(F.xxhash64("node", number, seed), F.lit(2)) == 0
    goes = is_drawn & (F.col("best.gain") > F.col("own"))
    community = F.when(goes, -F.col("best.minus")).otherwise(F.col("community")).alias("community")
    return best.select("node", community, "strength", goes.alias("moved"))


def _connected(graph: DataFrame, state: DataFrame, work: WorkFolder, number: int) -> DataFrame:
    """(old, node): the communities, one in pieces divided into them; named by the first node."""
    of_u = state.select(F.col("node").alias("u"), F.col("community").alias("cu"))
    of_v = state.select(F.col("node").alias("v"), F.col("community").alias("cv"))
    within = graph.where("u < v").join(of_u, "u").join(of_v, "v").where("cu = cv")
    roots, _ = find_components(
        within.select(F.col("u").alias("a"), F.col("v").alias("b")), work, f"topic-pieces-{number}"
    )
    named = state.select(F.col("node").alias("page_id")).join(roots, "page_id", "left")
    return work.save(
        f"topic-names-{number}",
        named.select(F.col("page_id").alias("old"), F.coalesce("root", "page_id").alias("node")),
    )


def _with_centers(topics: DataFrame, edges: DataFrame, stages: Stages) -> DataFrame:
    """(page_id, level, topic_id): the page at the center of each topic of a page."""
    both = edges.unionByName(edges.select(F.col("v").alias("u"), F.col("u").alias("v"), "w"))
    of_u = topics.select(F.col("page_id").alias("u"), "level", F.col("topic").alias("tu"))
    of_v = topics.select(F.col("page_id").alias("v"), "level", F.col("topic").alias("tv"))
    within = both.join(of_u, "u").join(of_v, ["v", "level"]).where("tu = tv")
    sums = within.groupBy(F.col("u").alias("page_id"), "level").agg(F.sum("w").alias("within"))
    placed = topics.join(sums, ["page_id", "level"], "left").fillna({"within": 0})
    in_order = placed.repartition("topic", "level").sortWithinPartitions("topic", "level", "page_id")
    centers = stages.run(in_order, "topic-center").withColumnRenamed("center_id", "topic_id")
    return topics.join(centers, ["level", "topic"]).select("page_id", "level", "topic_id")
