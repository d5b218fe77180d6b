-- With weights of a long training, how near a document lies to everything told nothing more.
alter table search_docs drop column hubness;
