import { useRef, type ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';

interface FileButtonProps {
  kind?: 'primary' | 'plain';
  /** File names it offers: `.pem,.crt`. */
  accept: string;
  label: string;
  busy?: boolean;
  disabled?: boolean;
  testId: string;
  onChoose: (file: File) => void;
  children: ReactNode;
}

/** A button that chooses a file. */
export function FileButton({
  kind = 'plain',
  accept,
  label,
  busy = false,
  testId,
  onChoose,
  ...rest
}: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const { disabled = false, children } = rest;
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        className="visually-hidden"
        tabIndex={-1}
        aria-label={label}
        data-testid={`${testId}-file`}
        onChange={({ target }) => {
          const file = target.files?.[0];
          // Reset, so that the same file can be chosen again.
          target.value = '';
          if (file) onChoose(file);
        }}
      />
      <Button kind={kind} busy={busy} disabled={disabled} data-testid={testId} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
