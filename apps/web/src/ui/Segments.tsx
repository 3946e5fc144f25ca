import './segments.css';

interface SegmentsProps<V extends string> {
  label: string;
  values: readonly V[];
  chosen: V;
  textOf: (value: V) => string;
  onChoose: (value: V) => void;
  /** What the test id of a button begins with; `-` and its value follow. */
  testId: string;
  className?: string;
}

/** A choice of one among few, as buttons in one bar. */
export function Segments<V extends string>({
  label,
  values,
  chosen,
  textOf,
  onChoose,
  testId,
  className,
}: SegmentsProps<V>) {
  return (
    <div className={className === undefined ? 'segments' : `segments ${className}`} role="group" aria-label={label}>
      {values.map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          data-testid={`${testId}-${value}`}
          onClick={() => onChoose(value)}
        >
          {textOf(value)}
        </button>
      ))}
    </div>
  );
}
