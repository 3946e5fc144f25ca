import './import.css';

interface ImportProgressProps {
  /** What is being done; null for nothing. */
  text: string | null;
  /** How much of it is done, if known. */
  done?: { value: number; max: number };
}

/** The progress of an import. Always in the page, so that screen readers announce its start. */
export function ImportProgress({ text, done }: ImportProgressProps) {
  return (
    <div className="import-progress" role="status">
      {text !== null && (
        <>
          <span>{text}</span>
          <progress aria-label={text} {...done} />
        </>
      )}
    </div>
  );
}
