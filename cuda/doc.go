// Package cuda makes the numbers of the packages philox, normal and random on NVIDIA GPUs: the same bits as
// on the CPU for the same seed, stream, offset and index, whatever the GPU and the size of a
// launch. It needs no CUDA toolkit, neither to build nor to run: it finds the driver's library when it
// is first used, libcuda.so.1 or the one that PHILOX_CUDA_LIB names. It asks for a driver of CUDA 11.8 or later and a
// GPU from Volta on (compute capability 7.0); [CheckRoots] says of a GPU whether it keeps the one thing that its kind
// might do otherwise. Without a driver, without cgo and on other
// systems than Linux everything here builds, and answers with an [*UnavailableError] that says why,
// in which errors.Is finds [ErrUnavailable].
//
// # Fills
//
// The distributions and the dropout of package random are here too, on buffers of a device: [Normal] takes the next blocks of a
// [random.Generator] as [random.Normal] does, and queues the same numbers. A [Dist] is such a
// distribution by itself, which also fills from any place in a [philox.Stream], so that a part of a
// fill can be made anywhere, and from a [State] in the device's memory, for CUDA graphs.
//
// # Devices, streams and buffers
//
// [Open] opens a device, on which [Alloc] allocates a [Buffer] and [Wrap] makes one of a caller's
// memory. What is queued on one [Stream] runs in order, and after the call that queued it has
// returned. [Stream.Sync], [Device.Sync] and copies to Go's memory wait for it; an [Event] is
// a point in it. Buffers queue on the legacy default stream until [Buffer.On] gives them
// another one.
//
// Contexts and threads are of no concern: every call makes the device's primary context current
// on its thread, and afterwards what was current before. So it goes together with other libraries
// in the process, in either's memory and on either's streams.
//
// # Errors
//
// What the driver refuses is an [*Error] with the driver's name for it. Arguments out of
// range are an [*skip.ArgumentError], and what is used after it was closed is
// a [*ClosedError]. The only panics, but for those of nil pointers, are those of [Buffer.Slice] and
// [Buffer.WithMaxGrid].
package cuda
