# Reads objdump's output of a test binary of a package and checks every kernel as it was
# assembled: upper halves are clean at each return, and no vector instruction is
# of the legacy encoding.
$0 ~ "^[0-9a-f]+ <.*" package "\\.[a-zA-Z0-9]+AVX(2|512)(\\.abi0)?>:$" { kernel = $2; kernels++; dirty = 0; next }
/^$/ { kernel = "" }
kernel == "" { next }
$2 == "vzeroupper" { dirty = 0; next }
/%[xyz]mm/ {
	vectors++
	if ($2 !~ /^v/) { print kernel " legacy vector instruction: " $0; bad = 1 }
	if (/%[yz]mm/) dirty = 1
}
$2 ~ /^ret/ {
	returns++
	if (dirty) { print kernel " returns with dirty upper halves: " $0; bad = 1 }
}
END {
	printf "%d kernels, %d vector instructions, %d returns\n", kernels, vectors, returns
	exit bad || kernels < 8 || returns < kernels || vectors < 1000
}
