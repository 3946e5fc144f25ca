import type { ReactNode } from 'react';

/** A numbered group of fields. */
export function Section({ number, title, hint, children }: { number: number; title: string; hint: string; children: ReactNode }) {
  return (
    <fieldset className="setup-section">
      <legend>
        <span className="setup-number" aria-hidden="true">{number}</span> {title}
      </legend>
      <p className="setup-hint setup-wide">{hint}</p>
      {children}
    </fieldset>
  );
}

/** A numbered step at the end. */
export function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <section className="setup-step">
      <h2>
        <span className="setup-number" aria-hidden="true">{number}</span> {title}
      </h2>
      {children}
    </section>
  );
}
