"""The steps of an akin build as DataFrames of Apache Spark."""
