"""What a person is given to keep: tables, a graph, a report, figures, everything as JSON."""
