Jv = {{-r Cos[phi] Sin[theta], -r Sin[phi] Cos[theta], Cos[phi] Cos[theta]},
      { r Cos[phi] Cos[theta], -r Sin[phi] Sin[theta], Cos[phi] Sin[theta]},
      { 0,                     -r Cos[phi],            Sin[phi]}};
