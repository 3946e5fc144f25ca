export { PAGE, PdfDocument, type Colour } from './document.ts';
