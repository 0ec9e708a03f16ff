"""All kinds of underlay."""

from netsim.network.underlay.access import AccessOnly
from netsim.network.underlay.clusters import StarOfClusters
from netsim.network.underlay.fat_tree import FatTree
from netsim.network.underlay.file import FromFile
from netsim.network.underlay.planar import Geometric, Waxman
from netsim.network.underlay.scale_free import ScaleFree

UNDERLAYS = (AccessOnly, StarOfClusters, FatTree, Waxman, Geometric, ScaleFree, FromFile)
