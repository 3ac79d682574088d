"""Numbers, names and phrases as a person reads them: what every sentence of the program is made of."""
