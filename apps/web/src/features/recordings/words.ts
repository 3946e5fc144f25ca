/** A time of a recording: `4:05`, `1:02:09`; with tenths of a second if wanted. Ms. */
export function clockWords(time: number, tenths = false): string {
  const unit = tenths ? 100 : 1_000;
  const whole = Math.floor(Math.max(0, time) / unit) * unit;
  const seconds = Math.floor(whole / 1_000);
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  const tail = tenths ? `.${Math.floor((whole % 1_000) / 100)}` : '';
  return `${h > 0 ? `${h}:${two(m)}` : m}:${two(s)}${tail}`;
}

/** The reverse: ms of `75`, `1:15`, `1:02:09.5`; null if it is no time. */
export function timeOf(words: string): number | null {
  const parts = /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,5}(?:\.\d{1,3})?)$/.exec(words.trim());
  if (parts === null) return null;
  const [, hours = '0', minutes = '0', seconds = '0'] = parts;
  return Math.round((Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000);
}
