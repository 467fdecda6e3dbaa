package main

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/philox-go/rng/skip"
)

// A shard is one of count parts of an output, counted from 0.
type shard struct{ index, count uint64 }

const (
	// unsharded is -shard's value where it is not given.
	unsharded = "none"
	// automatic reads the shard from the environment of a launcher.
	automatic = "auto"
)

func badShard(value, must string, a ...any) error {
	return badValue("shard", value, fmt.Sprintf(must, a...))
}

// parseShard reads the value of -shard. For auto it also says where in the
// environment the shard was found.
func parseShard(value string, lookup lookupFunc) (s shard, origin string, err error) {
	if value == unsharded {
		return shard{0, 1}, "", nil
	}
	index, count, cut := strings.Cut(value, "/")
	if cut {
		var ok bool
		if s.count, ok = parseUint(count); !ok || s.count == 0 {
			return shard{}, "", badShard(value, "the number of shards is %q and must be a whole number from 1 to %d", count, uint64(math.MaxUint64))
		}
	}
	switch {
	case index == automatic:
		return s.find(value, lookup)
	case !cut:
		return shard{}, "", badShard(value, "must be i/k (part i of k, i from 0 to k-1), %s or %s/k", automatic, automatic)
	}
	var ok bool
	if s.index, ok = parseUint(index); !ok || s.index >= s.count {
		return shard{}, "", badShard(value, "the index is %q and must be a whole number from 0 to %d, below the number of shards", index, s.count-1)
	}
	return s, "", nil
}

// A lookupFunc reads an environment variable as os.LookupEnv does.
type lookupFunc func(name string) (value string, set bool)

// A launcher is a program that starts many processes and tells each in its
// environment which one it is.
type launcher struct {
	name string
	rank string   // variable of the process's number, from 0
	size []string // variables of the number of processes; the first that is set counts

	// A launcher that is not whole may have started only some of the ranks, so that
	// a number of shards that is given counts more than its size.
	whole bool

	// started is asked where rank is set. nil is yes.
	started func(lookupFunc) bool

	// check, if there is one, is asked where the size comes from the launcher.
	check func(value string, size uint64, lookup lookupFunc) error
}

// The variables are from torchrun's documentation ("Environment Variables"),
// Open MPI's FAQ on running jobs ("environmental variables"), Slurm's manual pages
// srun(1) and sbatch(1), and Kubernetes' documentation of indexed jobs.
var launchers = []launcher{
	{name: "torchrun", rank: "RANK", size: []string{"WORLD_SIZE"}, whole: true},
	{name: "Open MPI", rank: "OMPI_COMM_WORLD_RANK", size: []string{"OMPI_COMM_WORLD_SIZE"}, whole: true},
	{name: "a Slurm step", rank: "SLURM_PROCID", size: []string{"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}, whole: true, started: isSlurmStep, check: checkSlurmStep},
	{name: "a Slurm array", rank: "SLURM_ARRAY_TASK_ID", size: []string{"SLURM_ARRAY_TASK_COUNT"}, check: checkSlurmArray},
	{name: "a Kubernetes indexed job", rank: "JOB_COMPLETION_INDEX"},
}

// isSlurmStep tells a step of several tasks from what only looks like one inside
// an array: sbatch too sets SLURM_PROCID, to 0, for the script itself, which is no
// step, and many scripts run their one program by srun, a step of one task.
func isSlurmStep(lookup lookupFunc) bool {
	if v, _ := lookup("SLURM_ARRAY_TASK_ID"); v == "" {
		return true
	}
	if tasks, _ := lookup("SLURM_STEP_NUM_TASKS"); tasks != "" {
		return tasks != "1"
	}
	rank, _ := lookup("SLURM_PROCID")
	return rank != "0"
}

// checkSlurmStep refuses the script that sbatch runs: it is told of as many tasks as
// a step may have, but is one process.
func checkSlurmStep(value string, size uint64, lookup lookupFunc) error {
	rank, _ := lookup("SLURM_PROCID")
	job, _ := lookup("SLURM_JOB_ID")
	var step string
	for _, name := range []string{"SLURM_STEP_NUM_TASKS", "SLURM_STEP_ID", "SLURM_STEPID"} {
		v, _ := lookup(name)
		step += v
	}
	if rank == "0" && size > 1 && job != "" && step == "" {
		return badShard(value, "SLURM_PROCID = \"0\" of SLURM_NTASKS = \"%d\" is the batch script and no step (SLURM_STEP_NUM_TASKS is not set): start philox by srun", size)
	}
	return nil
}

// checkSlurmArray refuses arrays whose count is not the number of shards: those
// that are numbered otherwise than 0 to count-1, such as a part of an array that is
// run again.
func checkSlurmArray(value string, size uint64, lookup lookupFunc) error {
	const advice = "give the number of shards, as " + automatic + "/k"
	if size == 1 {
		return badShard(value, "SLURM_ARRAY_TASK_COUNT = \"1\" may be one task of a larger array, run again: %s", advice)
	}
	for _, v := range []struct {
		name string
		want uint64
	}{{"SLURM_ARRAY_TASK_MIN", 0}, {"SLURM_ARRAY_TASK_MAX", size - 1}} {
		if have, _ := lookup(v.name); have != "" && have != strconv.FormatUint(v.want, 10) {
			return badShard(value, "%s = %q must be \"%d\" for SLURM_ARRAY_TASK_COUNT = \"%d\" shards: submit with --array=0-%d, or %s",
				v.name, have, v.want, size, size-1, advice)
		}
	}
	return nil
}

// find reads the shard from the first launcher that started the program; s.count
// is the number of shards that was given, or 0.
func (s shard) find(value string, lookup lookupFunc) (shard, string, error) {
	for _, l := range launchers {
		rank, _ := lookup(l.rank)
		if rank != "" && (l.started == nil || l.started(lookup)) {
			return l.shard(value, rank, s.count, lookup)
		}
	}
	var names, set []string
	for _, l := range launchers {
		names = append(names, l.rank)
		for _, name := range append([]string{l.rank}, l.size...) {
			if v, ok := lookup(name); ok {
				set = append(set, fmt.Sprintf("%s = %q", name, v))
			}
		}
	}
	found := "none of these nor of their sizes is set"
	if len(set) > 0 {
		found = "set are only " + strings.Join(set, ", ")
	}
	return shard{}, "", badShard(value, "no rank found in %s (%s)", strings.Join(names, ", "), found)
}

// shard takes the shard from the launcher's variables and the number of shards
// that was given (0 if none was).
func (l launcher) shard(value, rank string, given uint64, lookup lookupFunc) (s shard, origin string, err error) {
	count, size := given, fmt.Sprintf("%d given", given)
	if name, text := l.sizeVariable(lookup); name != "" && (l.whole || given == 0) {
		size = fmt.Sprintf("%s = %q", name, text)
		count, err = strconv.ParseUint(text, 10, 64)
		switch {
		case err != nil || count == 0:
			return shard{}, "", badShard(value, "%s must be a whole number from 1 to %d", size, uint64(math.MaxUint64))
		case given != 0 && given != count:
			return shard{}, "", badShard(value, "%s, so there is not one process for each of %d shards; -shard i/%d makes one shard alone", size, given, given)
		case l.check != nil:
			if err := l.check(value, count, lookup); err != nil {
				return shard{}, "", err
			}
		}
	}
	if count == 0 {
		return shard{}, "", badShard(value, "%s = %q says which process of %s this is, but %s: give the number of shards, as %s/k",
			l.rank, rank, l.name, l.sizeUnset(), automatic)
	}
	index, err := strconv.ParseUint(rank, 10, 64)
	if err != nil || index >= count {
		return shard{}, "", badShard(value, "%s = %q must be a whole number from 0 to %d, below the number of shards (%s)", l.rank, rank, count-1, size)
	}
	return shard{index, count}, fmt.Sprintf("%s: %s = %q, %s", l.name, l.rank, rank, size), nil
}

// sizeUnset says why the number of processes is not known.
func (l launcher) sizeUnset() string {
	if len(l.size) == 0 {
		return "no variable says of how many"
	}
	return strings.Join(l.size, " or ") + ", which should say of how many, is not set"
}

// sizeVariable returns the variable that has the number of processes, and its
// value, or nothing.
func (l launcher) sizeVariable(lookup lookupFunc) (name, value string) {
	for _, name := range l.size {
		if value, _ := lookup(name); value != "" {
			return name, value
		}
	}
	return "", ""
}

// indexVerb is where a file's name takes the index: %d, or %03d for three digits.
var indexVerb = regexp.MustCompile(`%(?:0([1-9][0-9]?))?d`)

// shardOut is the name of the shard's output.
func shardOut(out, value string, s shard) (string, error) {
	has := indexVerb.MatchString(out)
	switch {
	case has && value == unsharded:
		return "", badValue("out", out, "%d is for the index of a shard; give -shard too")
	case !has && strings.HasPrefix(value, automatic):
		return "", badValue("out", out, "must have %d (or %03d) for the index where -shard is "+automatic+", or shards overwrite one another")
	}
	return indexVerb.ReplaceAllStringFunc(out, func(verb string) string {
		return fmt.Sprintf(verb, s.index)
	}), nil
}

// cut returns which of n elements are the shard's: count of them, from element from
// on. The n begin behind the first before of a block; a shard begins with them or
// where a block begins.
func (s shard) cut(before, n, perBlock uint64) (from, count uint64) {
	blocks := (before + n + perBlock - 1) / perBlock
	if n == 0 {
		blocks = 0
	}
	plan, _ := skip.NewPlan(blocks, s.count) // fails for a count of 0 only
	r := plan.Shard(s.index)
	element := func(block uint64) uint64 { return min(n, max(before, block*perBlock)-before) }
	from = element(r.First)
	return from, element(r.First+r.Blocks) - from
}
