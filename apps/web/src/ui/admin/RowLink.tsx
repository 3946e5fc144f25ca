import './admin.css';

/** The name of a row, which opens it. */
export function RowLink({ name, testId, onClick }: { name: string; testId: string; onClick: () => void }) {
  return (
    <button type="button" className="row-link" title={name} data-testid={testId} onClick={onClick}>
      {name}
    </button>
  );
}
