/** One line of text, cut off where there is no more room; the tooltip has all of it. */
export function Clipped({ text }: { text: string }) {
  return (
    <span className="clipped" title={text}>
      {text}
    </span>
  );
}
