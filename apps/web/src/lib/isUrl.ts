/** Whether a text is an absolute URL. (URL.canParse is younger than the lowest browsers.) */
export function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== '';
  } catch {
    return false;
  }
}
