import { useState, type ReactNode } from 'react';

interface SectionProps {
  title: string;
  /** What it holds, in a few words; said while it is closed. */
  summary: string;
  /** Something in it differs from what it is by itself: then it opens with the form. */
  isFilled: boolean;
  /** Something in it is wrong: then it opens, too. */
  hasError: boolean;
  children: ReactNode;
  testId: string;
}

/** Fields that few need, behind their title. */
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
