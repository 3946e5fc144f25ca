/** The level of a tone in samples: that of its sine, relative to full scale (Goertzel's algorithm). */
export function levelOf(samples: ArrayLike<number>, hertz: number, rate = 48_000): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hertz) / rate);
  let [before, last] = [0, 0];
  for (let n = 0; n < samples.length; n += 1) [before, last] = [last, samples[n]! + coefficient * last - before];
  return (2 * Math.sqrt(Math.max(0, last * last + before * before - coefficient * last * before))) / samples.length;
}

/** Every second sample: one channel of two. */
export function left(interleaved: Float32Array): Float32Array {
  return Float32Array.from({ length: interleaved.length / 2 }, (_, n) => interleaved[n * 2]!);
}
