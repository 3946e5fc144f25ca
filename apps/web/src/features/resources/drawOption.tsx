import './resources.css';

/** An option with additional text that distinguishes it from others. */
export function drawOption({ data: { label, words } }: { data: { label: string; words: string } }) {
  return (
    <span className="resource-option">
      <span>{label}</span>
      <small>{words}</small>
    </span>
  );
}
