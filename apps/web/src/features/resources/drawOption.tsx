import './resources.css';

/** A choice with what tells it apart from others. */
export function drawOption({ data: { label, words } }: { data: { label: string; words: string } }) {
  return (
    <span className="resource-option">
      <span>{label}</span>
      <small>{words}</small>
    </span>
  );
}
