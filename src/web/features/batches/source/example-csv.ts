import { saveFile } from '#web/ui/save-file.ts';

const EXAMPLE = `prompt,shape,size,notes
"A lighthouse at dusk, warm light in the lantern room",16:9,1K,columns without a field are ignored
"A lighthouse at noon, flat light",16:9,1K,
A lighthouse in fog,1:1,,empty cells take the value of the form
`;

/** Saves a small file whose columns match the fields of an image. */
export const saveExampleCsv = (): void =>
  saveFile(new Blob([EXAMPLE], { type: 'text/csv;charset=utf-8' }), 'batch-example.csv');
