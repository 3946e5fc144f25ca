import type { KeyboardEvent } from 'react';

interface ChoicesProps<V extends string> {
  label: string;
  values: readonly V[];
  value: V;
  textOf: (value: V) => string;
  testId: string;
  onChoose: (value: V) => void;
}

/** A group of a few options side by side, of which one is selected. */
export function Choices<V extends string>({ label, values, value, textOf, testId, onChoose }: ChoicesProps<V>) {
  return (
    <div className="desk-choices" role="group" aria-label={label} onKeyDown={rove}>
      {values.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === value}
          tabIndex={each === value ? 0 : -1}
          data-rove=""
          data-testid={`${testId}-${each}`}
          onClick={() => onChoose(each)}
        >
          {textOf(each)}
        </button>
      ))}
    </div>
  );
}

/** Arrow keys move the focus between `data-rove` elements; the focused one is activated as any button is. */
export function rove(event: KeyboardEvent<HTMLElement>): void {
  const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  const step = steps[event.key];
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-rove]')];
  const at = stops.indexOf(event.target as HTMLElement);
  if (step === undefined || at === -1) return;
  event.preventDefault();
  stops.at((at + step) % stops.length)?.focus();
}
