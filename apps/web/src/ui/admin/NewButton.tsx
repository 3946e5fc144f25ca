import { Button } from '../Button.tsx';
import { Icon } from '../icons.tsx';

/** Beside the title of a list: opens the form for a new row. */
export function NewButton({ label, testId, onClick }: { label: string; testId: string; onClick: () => void }) {
  return (
    <Button kind="primary" data-testid={testId} onClick={onClick}>
      <Icon name="plus" />
      {label}
    </Button>
  );
}
