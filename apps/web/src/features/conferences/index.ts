/** Stands in until the page is written. */
export function JoinPage() {
  return null;
}
