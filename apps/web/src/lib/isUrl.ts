/** Whether a text is an absolute URL. (The oldest supported browsers lack URL.canParse.) */
export function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== '';
  } catch {
    return false;
  }
}
