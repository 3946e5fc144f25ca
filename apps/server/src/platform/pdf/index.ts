/** PDF files with Chinese texts. */
export { partsOf, Pdf, type PdfOptions, type TextStyle } from './pdf.ts';
