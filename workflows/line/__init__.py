"""The multicritical point of random bonds: crossings in p of pairs of sizes along the Nishimori line."""
