import './form.css';

/** An option of a select with additional text that distinguishes it from others. */
export function drawOption({ data: { label, words } }: { data: { label: string; words: string } }) {
  return (
    <span className="worded-option">
      <span>{label}</span>
      <small>{words}</small>
    </span>
  );
}
