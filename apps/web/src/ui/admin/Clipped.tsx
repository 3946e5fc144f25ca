/** One line of text, truncated if too long; the tooltip shows all of it. */
export function Clipped({ text }: { text: string }) {
  return (
    <span className="clipped" title={text}>
      {text}
    </span>
  );
}
