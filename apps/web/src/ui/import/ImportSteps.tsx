import './import.css';

interface ImportStepsProps {
  /** The names of the steps, in order. */
  steps: readonly string[];
  current: string;
}

/** The steps of an import, and the one that it is at. */
export function ImportSteps({ steps, current }: ImportStepsProps) {
  return (
    <ol className="import-steps">
      {steps.map((step) => (
        <li key={step} aria-current={step === current ? 'step' : undefined}>
          {step}
        </li>
      ))}
    </ol>
  );
}
