package verify

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// indexName is the name of the files that describe arrays, and longestIndex bounds their
// length.
const (
	indexName    = "index.json"
	longestIndex = 1 << 28
)

// A folder is a folder of recordings.
type folder struct {
	root       *os.Root
	options    Options
	recordings []*recording
	whole      sync.Mutex // held while an array is made as a whole
}

// A recording is what is said of an array.
type recording struct {
	path   string // below the folder
	system string
	name   string // the operator with its arguments
	n      uint64
	hasN   bool
	dtype  string

	seed, offset uint64
	after        *uint64 // the offset after the call
	gpu          string
	sms, threads uint64 // multiprocessors, and threads of each
	weights      string

	length uint64 // of the file, where there is no index

	sha   string // of the whole array, in lower case
	spans []span // which elements the file has
	whole bool   // that is all of them

	err error // what is wrong with the description
}

// A span is elements from to to-1.
type span struct{ from, to uint64 }

func (r *recording) keptCount() (n uint64) {
	for _, s := range r.spans {
		n += s.to - s.from
	}
	return n
}

// list finds the recordings of the folder.
func (f *folder) list(ctx context.Context) error {
	described := make(map[string]bool)
	var others []*recording
	err := fs.WalkDir(f.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && name == ".":
			return err
		case err != nil:
			f.recordings = append(f.recordings, &recording{path: name, err: err})
			return nil
		case entry.IsDir():
			return nil
		case entry.Name() == indexName:
			for _, r := range f.index(name) {
				described[r.path] = true
				f.recordings = append(f.recordings, r)
			}
			return nil
		case strings.HasSuffix(name, ".npy") || strings.HasSuffix(name, ".bin"):
			r := &recording{path: name, whole: true, name: strings.TrimSuffix(entry.Name(), path.Ext(name))}
			if isRawName(r.path) {
				r.system = curandSystem
			}
			if info, err := entry.Info(); err == nil {
				r.length = uint64(info.Size())
			}
			others = append(others, r)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range others {
		if !described[r.path] {
			f.recordings = append(f.recordings, r)
		}
	}
	if len(f.recordings) == 0 {
		return errors.New("there is no " + indexName + " in it, and no file that cuRAND's raw files are called like")
	}
	return nil
}

// index reads an index. What is wrong with it is a recording by itself.
func (f *folder) index(name string) []*recording {
	broken := func(err error) []*recording {
		return []*recording{{path: name, err: err}}
	}
	file, size, err := f.openFile(name)
	if err != nil {
		return broken(err)
	}
	defer file.Close()
	if size > longestIndex {
		return broken(fmt.Errorf("has %d bytes, more than %d", size, longestIndex))
	}
	text, err := io.ReadAll(io.LimitReader(file, size))
	if err != nil {
		return broken(err)
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(text, &entries); err != nil {
		return broken(fmt.Errorf("is no JSON list of objects: %w", err))
	}
	var all []*recording
	for i, entry := range entries {
		r, err := parseEntry(entry)
		if err != nil {
			r = &recording{path: name, err: fmt.Errorf("entry %d: %w", i, err)}
		} else {
			r.path = path.Join(path.Dir(name), r.path)
			if r.system == "" && isRawName(r.path) {
				r.system = curandSystem
			}
			if r.name == "" {
				r.name = strings.TrimSuffix(path.Base(r.path), path.Ext(r.path))
			}
		}
		all = append(all, r)
	}
	return all
}

// An amount is a whole number, which an index has as a number or, since many readers of JSON
// have 53 bits alone, as text.
type amount struct {
	value uint64
	set   bool
}

func (a *amount) UnmarshalJSON(b []byte) error {
	text := string(bytes.Trim(b, `"`))
	if text == "null" {
		return nil
	}
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		// A seed below 0 is its two's complement.
		signed, wrong := strconv.ParseInt(text, 10, 64)
		if wrong != nil {
			return fmt.Errorf("%.40s: must be a whole number below 2^64", b)
		}
		v = uint64(signed)
	}
	a.value, a.set = v, true
	return nil
}

var endsText = regexp.MustCompile(`^first (\d{1,15}) and last (\d{1,15})$`)

// parseEntry reads one object of an index.
func parseEntry(text []byte) (*recording, error) {
	var entry struct {
		System, Name, DType, File, SHA256, GPU, Weights string

		N, Seed, Offset amount
		After           amount `json:"offset_after"`
		SMs             amount
		Threads         amount `json:"max_threads_per_sm"`
		Kept            json.RawMessage
	}
	if err := json.Unmarshal(text, &entry); err != nil {
		return nil, err
	}
	r := &recording{
		path: entry.File, system: entry.System, name: entry.Name, dtype: entry.DType,
		n: entry.N.value, hasN: entry.N.set, seed: entry.Seed.value, offset: entry.Offset.value,
		gpu: entry.GPU, sms: entry.SMs.value, threads: entry.Threads.value, weights: entry.Weights,
		sha: strings.ToLower(entry.SHA256),
	}
	if entry.After.set {
		r.after = &entry.After.value
	}
	switch {
	case !fs.ValidPath(entry.File) || entry.File == ".":
		return nil, fmt.Errorf("file %q: must be the name of a file below the index", entry.File)
	case r.sha != "" && !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(r.sha):
		r.err = fmt.Errorf("sha256 %q: must be 64 hexadecimal digits", entry.SHA256)
	default:
		r.err = r.parseKept(entry.Kept)
	}
	return r, nil
}

// parseKept reads which elements a file has: all, both ends, or a list of spans.
func (r *recording) parseKept(text json.RawMessage) error {
	if len(text) == 0 || string(text) == "null" {
		r.whole = true
		return nil
	}
	bad := fmt.Errorf("kept %.60s: must be such as \"first 400 and last 400\" or [[0,128],[1000,1128]], in order and below n = %d", text, r.n)
	if !r.hasN {
		return errors.New("kept is of no use without n")
	}
	var words string
	if json.Unmarshal(text, &words) == nil {
		m := endsText.FindStringSubmatch(words)
		if m == nil {
			return bad
		}
		first, _ := strconv.ParseUint(m[1], 10, 64)
		last, _ := strconv.ParseUint(m[2], 10, 64)
		if first > r.n || last > r.n-first {
			return bad
		}
		r.spans = []span{{0, first}, {r.n - last, r.n}}
		return nil
	}
	var pairs [][]uint64
	if json.Unmarshal(text, &pairs) != nil || len(pairs) == 0 {
		return bad
	}
	end := uint64(0)
	for _, p := range pairs {
		if len(p) != 2 || p[0] < end || p[1] < p[0] || p[1] > r.n {
			return bad
		}
		end = p[1]
		r.spans = append(r.spans, span{p[0], p[1]})
	}
	return nil
}

// openFile opens a file of the folder, which must be a regular one: others may hang.
func (f *folder) openFile(name string) (*os.File, int64, error) {
	info, err := f.root.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("is not a regular file")
	}
	if err != nil {
		return nil, 0, plain(err)
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, 0, plain(err)
	}
	return file, info.Size(), nil
}

// plain drops the name of the file, which stands before the error already.
func plain(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		err = e.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("there is no such file")
	}
	return err
}

// A keptFile is a file whose values are read one after another.
type keptFile struct {
	*os.File
	values *bufio.Reader
}

// open opens a recording's file and checks that it has the numbers' type and as many as it
// should. Where nothing said which, it has all.
func (f *folder) open(r *recording, numbers Numbers) (keptFile, error) {
	d, ok := findType(numbers.DType())
	if !ok || d.size != numbers.Size() {
		return keptFile{}, fmt.Errorf("its type would be %q", numbers.DType())
	}
	if r.dtype != "" && !d.is(r.dtype) {
		return keptFile{}, fmt.Errorf("dtype is %q and should be %s", r.dtype, strings.Join(d.written, " or "))
	}
	if n := numbers.Len(); r.hasN && r.n != n {
		return keptFile{}, fmt.Errorf("n is %d, and of such an array %d", r.n, n)
	}
	r.n = numbers.Len()
	size := uint64(d.size)
	if r.n > mostBytes/size {
		return keptFile{}, tooMuch(r.n)
	}
	if r.whole {
		r.spans = []span{{0, r.n}}
	}
	file, length, err := f.openFile(r.path)
	if err != nil {
		return keptFile{}, err
	}
	kept := keptFile{file, bufio.NewReaderSize(file, 1<<16)}
	if err := kept.check(r, d, uint64(length)); err != nil {
		file.Close()
		return keptFile{}, err
	}
	return kept, nil
}

func tooMuch(n uint64) error {
	return fmt.Errorf("n is %d: more than %d bytes are not checked", n, uint64(mostBytes))
}

// check checks a file's type and length.
func (k keptFile) check(r *recording, d dtype, length uint64) error {
	want := r.keptCount()
	if path.Ext(r.path) == ".npy" {
		header, descr, n, err := npyHeader(k.values)
		switch {
		case err != nil:
			return err
		case !d.is(descr):
			return fmt.Errorf("has elements of type %q and should have %s", descr, strings.Join(d.written, " or "))
		case n != want:
			return fmt.Errorf("has %d values and should have %d", n, want)
		}
		length -= min(length, header)
	}
	if length != want*uint64(d.size) {
		return fmt.Errorf("has %d bytes of values and should have %d", length, want*uint64(d.size))
	}
	return nil
}
