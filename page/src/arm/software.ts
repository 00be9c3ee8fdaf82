// Whether the browser draws on the processor: there smooth edges cost more than all else.
const NAMES = /swiftshader|llvmpipe|software|basic render/i;

export function isSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const names = gl?.getExtension("WEBGL_debug_renderer_info");
  const found = names ? NAMES.test(String(gl!.getParameter(names.UNMASKED_RENDERER_WEBGL))) : false;
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return found;
}
