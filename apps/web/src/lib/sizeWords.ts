/** Bytes in readable form: `820 KB`, `3.4 MB`, `1.2 GB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  const kilobytes = bytes / 1_024;
  if (kilobytes < 1_000) return `${Math.round(kilobytes)} KB`;
  const megabytes = kilobytes / 1_024;
  return megabytes < 1_000 ? `${megabytes.toFixed(1)} MB` : `${(megabytes / 1_024).toFixed(1)} GB`;
}
