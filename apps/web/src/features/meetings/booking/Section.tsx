import { useState, type ReactNode } from 'react';

interface SectionProps {
  title: string;
  /** A short text of its content; shown while it is closed. */
  summary: string;
  /** A field differs from its default: the section opens with the form. */
  isFilled: boolean;
  /** A field has an error: the section opens, too. */
  hasError: boolean;
  children: ReactNode;
  testId: string;
}

/** Rarely used fields, collapsed under a title. */
export function Section({ title, summary, isFilled, hasError, children, testId }: SectionProps) {
  const [isOpen, setIsOpen] = useState(isFilled);
  const [hadError, setHadError] = useState(hasError);
  if (hasError !== hadError) {
    setHadError(hasError);
    if (hasError) setIsOpen(true);
  }
  return (
    <details
      className="booking-section"
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      data-testid={testId}
    >
      <summary>
        <span className="booking-section-title">{title}</span>
        {!isOpen && summary !== '' && <span className="booking-section-summary">{summary}</span>}
      </summary>
      <div className="booking-section-body">{children}</div>
    </details>
  );
}
