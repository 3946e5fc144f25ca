import './resources.css';

interface UsageBarProps {
  /** What is measured, for screen readers. */
  label: string;
  used: number;
  /** Null: no limit. */
  limit: number | null;
  /** Usage and limit as text. */
  text: string;
}

/** Usage as a bar with numbers. Without a limit, only the numbers. */
export function UsageBar({ label, used, limit, text }: UsageBarProps) {
  const part = limit === null ? 0 : Math.min(1, used / limit);
  return (
    <span className="usage" title={`${label}: ${text}`}>
      {limit !== null && (
        <meter
          className="visually-hidden"
          aria-label={label}
          min={0}
          max={limit}
          value={Math.min(used, limit)}
          aria-valuetext={text}
        />
      )}
      {limit !== null && (
        <span className="usage-bar" aria-hidden="true" data-full={part >= 0.9}>
          <span style={{ inlineSize: `${part * 100}%` }} />
        </span>
      )}
      <span className="usage-text">{text}</span>
    </span>
  );
}
