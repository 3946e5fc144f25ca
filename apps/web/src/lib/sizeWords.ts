/** Bytes in readable form: `820 KB`, `3.4 MB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  const kilobytes = bytes / 1_024;
  return kilobytes < 1_000 ? `${Math.round(kilobytes)} KB` : `${(kilobytes / 1_024).toFixed(1)} MB`;
}
