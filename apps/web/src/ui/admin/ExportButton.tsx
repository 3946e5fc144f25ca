import { useMutation } from '@tanstack/react-query';
import { download } from '../../lib/download.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../Button.tsx';
import { Icon } from '../icons.tsx';
import './texts.ts';

interface ExportButtonProps {
  path: string;
  /** Defaults to "Export". */
  label?: string;
  testId?: string;
}

/** Downloads a list with its filters: `path` is built by `pathOf(contract.users.export, { query })`. */
export function ExportButton({ path, label, testId = 'export' }: ExportButtonProps) {
  const t = useTexts('admin');
  const { mutate, isPending } = useMutation({ mutationFn: () => download(path) });
  return (
    <Button busy={isPending} data-testid={testId} onClick={() => mutate()}>
      <Icon name="download" />
      {label ?? t('export')}
    </Button>
  );
}
