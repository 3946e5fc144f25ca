import { useTexts } from '../../lib/i18n/index.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { ImportResult as Result } from '../../ui/import/ImportResult.tsx';
import { faultText, hasMoreFaults, rowsToStore, type ImportResult } from './sheet.ts';

interface ImportReportProps {
  /** The file's name. */
  name: string;
  result: ImportResult;
  /** Stored; otherwise only checked. */
  isDone: boolean;
}

const COUNTS = ['rows', 'added', 'changed', 'unchanged'] as const;

/** The result of an import, and every invalid cell. */
export function ImportReport({ name, result, isDone }: ImportReportProps) {
  const t = useTexts('terminals');
  const { faults } = result;

  const verdict = () => {
    if (isDone) return t('import.verdict.done');
    if (faults.length > 0) return t('import.verdict.faults', { count: faults.length });
    return rowsToStore(result) === 0 ? t('import.verdict.nothing') : t('import.verdict.fine');
  };

  return (
    <Result
      verdict={verdict()}
      isWrong={faults.length > 0}
      note={name}
      counts={COUNTS.map((count) => ({ key: count, label: t(`import.count.${count}`), count: result[count] }))}
    >
      {faults.length > 0 && (
        <div className="import-faults">
          <FaultTable faults={faults} />
          {hasMoreFaults(result) && <p className="import-more">{t('import.more', { count: faults.length })}</p>}
        </div>
      )}
    </Result>
  );
}

function FaultTable({ faults }: Pick<ImportResult, 'faults'>) {
  const t = useTexts('terminals');
  const common = useTexts('common');
  return (
    <DataTable
      label={t('import.faults')}
      columns={[
        {
          key: 'row',
          label: t('import.row'),
          width: '80px',
          heading: true,
          render: ({ row }) => t('import.rowNumber', { row }),
        },
        {
          key: 'column',
          label: t('import.column'),
          width: '100px',
          render: ({ column }) => t(`column.${column}`),
        },
        { key: 'fault', label: t('import.wrong'), render: (fault) => faultText(fault, t) },
        {
          key: 'value',
          label: t('import.value'),
          width: '130px',
          render: ({ value }) => value || common('empty'),
        },
      ]}
      rows={faults}
      rowKey={({ row, column, fault }) => `${row}:${column}:${fault}`}
      rowTestId="import-fault-row"
    />
  );
}
