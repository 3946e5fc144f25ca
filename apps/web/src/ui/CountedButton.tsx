import { IconButton } from './IconButton.tsx';
import type { IconName } from './icons.tsx';
import './countedButton.css';

/** Maximum count shown. */
const MANY = 99;

interface CountedButtonProps {
  icon: IconName;
  /** The name with the count, if there is one. */
  label: string;
  /** Unread things; 0 shows no mark. */
  count: number;
  testId: string;
  countTestId: string;
  onClick: () => void;
}

/** A button of the header that opens a drawer, with the number of unread things. */
export function CountedButton({ icon, label, count, testId, countTestId, onClick }: CountedButtonProps) {
  return (
    <span className="counted-button">
      <IconButton icon={icon} label={label} aria-haspopup="dialog" data-testid={testId} onClick={onClick} />
      {count > 0 && (
        <span className="counted-button-count" aria-hidden="true" data-testid={countTestId}>
          {count > MANY ? `${MANY}+` : count}
        </span>
      )}
      <span className="visually-hidden" role="status">
        {count > 0 ? label : ''}
      </span>
    </span>
  );
}
