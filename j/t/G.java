import org.zeromq.*; import java.net.*; import java.util.*;
public class G {
  public static void main(String[] a) throws Exception {
    var ctx = new ZContext(1);
    ctx.setUncaughtExceptionHandler((t,e)->{System.out.println("UNCAUGHT "+t+" "); e.printStackTrace(System.out);});
    ctx.setNotificationExceptionHandler((t,e)->{System.out.println("NOTIF "+t+" "+e+" "+(e.getStackTrace().length>0?e.getStackTrace()[0]:""));});
    var s = ctx.createSocket(SocketType.ROUTER); s.setRouterMandatory(true); s.setRouterHandover(true); s.setHandshakeIvl(10000);
    s.bind("tcp://127.0.0.1:*"); var ep=s.getLastEndpoint(); int port=Integer.parseInt(ep.substring(ep.lastIndexOf(':')+1));
    var random = new SplittableRandom(7);
    for (int c=0;c<600;c++) {
      try (var socket=new Socket()) {
        socket.connect(new InetSocketAddress("127.0.0.1",port),5000);
        var bytes=new byte[random.nextInt(1,300)]; random.nextBytes(bytes);
        if (c%3>0) { var g=new byte[64]; g[0]=(byte)0xff; g[8]=1; g[9]=0x7f; g[10]=3; System.arraycopy("NULL".getBytes(),0,g,12,4); System.arraycopy(g,0,bytes,0,Math.min(bytes.length,c%3==1?64:12)); }
        socket.getOutputStream().write(bytes); socket.getOutputStream().flush();
        if (c%2==0) socket.setSoLinger(true,0);
      } catch (java.io.IOException e) {}
      if (c%20==19) {
        try (var c2=new ZContext(1)) { var d=c2.createSocket(SocketType.DEALER); d.setLinger(0); d.setIdentity("good".getBytes()); d.connect(ep); d.send("hi"); s.setReceiveTimeOut(3000); boolean ok=false; for(int i=0;i<200;i++){ var id=s.recv(); if(id==null)break; var m=s.recv(); while(s.hasReceiveMore()) s.recv(); if(new String(id).equals("good")){ok=true;break;} }
          System.out.println(c+" ok="+ok); if(!ok){ for (var t: Thread.getAllStackTraces().entrySet()) if(t.getKey().getName().startsWith("iothread")||t.getKey().getName().startsWith("reaper")) {System.out.println(t.getKey()); for(var x:t.getValue())System.out.println("   "+x);} System.exit(1);} }
      }
    }
    System.exit(0);
  }
}
