// A sheet of styles that is imported is a text.
declare module "*.css" {
  const text: string;
  export default text;
}
