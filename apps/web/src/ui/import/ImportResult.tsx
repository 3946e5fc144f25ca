import { useEffect, useRef, type ReactNode } from 'react';
import './import.css';

interface ImportResultProps {
  verdict: string;
  isWrong: boolean;
  /** Below the verdict, such as the file's name. */
  note: string;
  counts: readonly { key: string; label: string; count: number }[];
  children?: ReactNode;
}

/** What an import does or did: a sentence, which gets the focus, and numbers. */
export function ImportResult({ verdict, isWrong, note, counts, children }: ImportResultProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The focused element may have been removed, so the focus moves to the result.
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="import-report" data-testid="import-report">
      <h2
        ref={heading}
        tabIndex={-1}
        className={isWrong ? 'import-verdict import-verdict-wrong' : 'import-verdict'}
        data-testid="import-verdict"
      >
        {verdict}
      </h2>
      {note !== '' && <p className="import-file">{note}</p>}
      <dl className="import-counts">
        {counts.map(({ key, label, count }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd data-testid={`import-${key}`}>{count}</dd>
          </div>
        ))}
      </dl>
      {children}
    </div>
  );
}
