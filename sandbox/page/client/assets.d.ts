// What the build makes of files that are not scripts: their address.
declare module "*.svg" {
  const url: string;
  export default url;
}
declare module "*.css";
