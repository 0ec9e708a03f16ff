"""The papers' accuracy tables on real data: each printed figure beside netsim's."""
