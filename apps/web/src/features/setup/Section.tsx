import type { ReactNode } from 'react';

function Heading({ number, title }: { number: number; title: string }) {
  return (
    <span className="setup-heading">
      <span className="setup-number" aria-hidden="true">
        {number}
      </span>
      <span>{title}</span>
    </span>
  );
}

/** A numbered group of fields. */
export function Section({
  number,
  title,
  hint,
  children,
}: {
  number: number;
  title: string;
  hint: string;
  children: ReactNode;
}) {
  return (
    <fieldset className="setup-section">
      <legend>
        <Heading number={number} title={title} />
      </legend>
      <p className="setup-hint setup-wide">{hint}</p>
      {children}
    </fieldset>
  );
}

/** A numbered step of the final page. */
export function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <section className="setup-step">
      <h2>
        <Heading number={number} title={title} />
      </h2>
      {children}
    </section>
  );
}
