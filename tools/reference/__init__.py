"""The reference pages, written from the code so that they cannot say anything else."""
